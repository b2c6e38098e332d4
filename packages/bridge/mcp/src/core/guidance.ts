/** Guidance of the mounted plugins, as the instructions of the server and as a prompt. */

export interface GuidanceSection {
  readonly title: string
  readonly text: string
}

export const GUIDANCE_PROMPT = {
  name: 'terminal_guidance',
  description: 'How to work with persistent terminals: when to use them, how to read results, how to end things.',
} as const

export function renderGuidance(sections: readonly GuidanceSection[]): string {
  return sections.map(({ title, text }) => `## ${title}\n\n${text}`).join('\n\n')
}
