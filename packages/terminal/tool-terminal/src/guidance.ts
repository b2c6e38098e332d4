/** The section of the system prompt that comes and goes with the plugin. Seed, "Composition and rollout". */
import type { Guidance } from '@agent-terminals/tools/contract'
import type { ToolTerminalConfig } from './config.js'

export function createGuidance({ enableRunInBackground, features }: ToolTerminalConfig): Guidance {
  return {
    id: 'terminal',
    title: 'Persistent terminals',
    text: [
      ...COMMON,
      ...(enableRunInBackground
        ? ['- Start long work with run_in_background and collect it with job_output; job_kill interrupts it.']
        : []),
      ...(features.screen
        ? [
            '- Programs that draw the whole screen (vim, top, menus) show it in the result; look again with terminal_read view "screen".',
          ]
        : []),
      ...(features.keys
        ? [
            '- Press keys by name: keys ["down", "enter"], ["esc", {"text": ":wq"}, "enter"]. One menu step at a time, and look.',
          ]
        : []),
      ...(features.search
        ? ['- Find things in long output with terminal_read search. Wait for a server with terminal_send waitFor.']
        : []),
    ].join('\n'),
  }
}

const COMMON = [
  '- Use terminal_* when state must survive between calls (cd, exported variables, an activated environment) or a program talks back (REPL, debugger, prompts). For anything one command can do, prefer one-shot tools: they are easier to check and to audit.',
  '- State can drift from what you believe. When unsure, look: terminal_list, terminal_read, or send pwd.',
  '- Read the bracketed facts below the output. timeout means that the program is still running. inferred_idle is a guess from silence: the program may still be working. Send text "" with submit false to wait on.',
  '- Text is typed exactly as given. End the input of a program with "\\u0004" (Ctrl-D) and submit false; interrupt with terminal_signal SIGINT.',
  '- Never type passwords or other secrets: a person can type them into the terminal.',
  '- Your terminals are yours alone: other agents cannot use them, nor you theirs. They do not outlive the session, so keep results in files.',
  '- Close terminals you no longer need with terminal_close.',
]
