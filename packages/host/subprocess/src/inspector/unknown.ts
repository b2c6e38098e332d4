import type { Inspector } from './inspector.js'

/** The inspector of a platform that we have no process facts for: it answers "cannot tell". */
export function createUnknownInspector(platform: string): Inspector {
  return {
    sources: {
      inspector: 'unknown',
      foreground: false,
      ttyWaits: false,
      attributes: false,
      notes: [`There is no process inspector for ${platform}: readiness rests on prompt markers and silence.`],
    },
    foregroundGroup: async () => undefined,
    inspect: async () => undefined,
    close() {},
  }
}
