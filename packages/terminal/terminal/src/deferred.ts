/** A promise that is settled from outside. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>
  resolve(value: Value): void
  reject(error: unknown): void
}

export function defer<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

/** Call something that may throw or reject; either way a promise comes back. The call itself happens now. */
export async function attempt<Value>(run: () => Value | PromiseLike<Value>): Promise<Value> {
  return run()
}
