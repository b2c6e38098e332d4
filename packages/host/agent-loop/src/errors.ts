import { AISDKError, APICallError, RetryError } from 'ai'
import type { TurnFailureCode } from './contract.js'

/** A failed turn, thrown inside the loop and turned into an outcome at its edge. */
export class TurnError extends Error {
  override readonly name = 'TurnError'

  constructor(
    readonly code: TurnFailureCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
  }
}

function classifyCall(error: APICallError): TurnError {
  const { statusCode: status, url } = error
  if (status === 429) {
    return new TurnError('MODEL_RATE_LIMITED', `${url} answered 429. Wait, or raise maxRetries.`, { cause: error })
  }
  // The status of a success comes with a body that could not be parsed, or with one that ended too early.
  if (status !== undefined && status < 400) {
    if (!AISDKError.isInstance(error.cause)) {
      return new TurnError('MODEL_UNREACHABLE', `The answer of ${url} broke off: ${error.message}`, { cause: error })
    }
    return new TurnError('MODEL_PROTOCOL', `${url} sent an unreadable answer: ${error.message}`, { cause: error })
  }
  if (status !== undefined) {
    return new TurnError('MODEL_REFUSED', `${url} answered ${status}: ${error.message}`, { cause: error })
  }
  return new TurnError('MODEL_UNREACHABLE', `${url} could not be reached: ${error.message}`, { cause: error })
}

/** Turn whatever the SDK threw or streamed into one of our codes. */
export function classifyModelError(error: unknown): TurnError {
  if (error instanceof TurnError) return error
  if (RetryError.isInstance(error)) return classifyModelError(error.lastError)
  if (APICallError.isInstance(error)) return classifyCall(error)
  const message = error instanceof Error ? error.message : String(error)
  if (AISDKError.isInstance(error)) {
    return new TurnError('MODEL_PROTOCOL', `The answer of the model could not be read: ${message}`, { cause: error })
  }
  return new TurnError('MODEL_UNREACHABLE', `The answer of the model broke off: ${message}`, { cause: error })
}
