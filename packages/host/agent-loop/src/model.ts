import { resolve } from 'node:path'
import type { Agent } from '@agent-terminals/agents/contract'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import type { ModelConfig } from './config.js'
import { TurnError } from './errors.js'
import { loadScript } from './script/load.js'
import { createScriptedModel } from './script/model.js'

/**
 * Turn the configured model into a maker of models, once. A script file is read here, so that a bad one fails the start;
 * the key is read per turn, so that a start without it can still do everything else.
 * @param baseDirectory - where a relative path of a script begins.
 * @throws ScriptFileError
 */
export function resolveModel(config: ModelConfig, baseDirectory: string): (agent: Agent) => LanguageModel {
  if (config.kind === 'script') {
    const script = config.script ?? loadScript(resolve(baseDirectory, config.path ?? ''))
    return (agent) => createScriptedModel(script, agent.session)
  }
  const { baseURL, apiKeyEnv, headers, model } = config
  return () => {
    const apiKey = apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv]
    if (apiKeyEnv !== undefined && !apiKey) {
      throw new TurnError('API_KEY_MISSING', `Set ${apiKeyEnv} to the API key for ${baseURL}.`)
    }
    const provider = createOpenAICompatible({
      name: 'openai-compatible',
      baseURL,
      headers,
      includeUsage: true,
      ...(apiKey === undefined ? {} : { apiKey }),
    })
    return provider(model)
  }
}
