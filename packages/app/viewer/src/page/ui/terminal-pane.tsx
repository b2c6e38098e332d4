/** The terminal that is shown, with everything around it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { pressOf } from '../app/keys.js'
import type { Page } from '../app/page.js'
import { bannerOf, isTyping } from '../core/banner.js'
import type { CommandFacts } from '../core/facts.js'
import { CHORDS, findCommand, keysOf } from '../core/shortcuts.js'
import type { ViewerState } from '../core/state.js'
import type { TerminalModel } from '../core/terminal-model.js'
import { TerminalScreen } from '../terminal/screen.js'
import { KeyboardBanner } from './banner.js'
import { CommandBar } from './command-bar.js'
import { CommandButton } from './command-button.js'
import { FindBar } from './find-bar.js'
import { TouchKeys } from './touch-keys.js'

const FONT_PX = 13
const DEFAULT_SIZE = { cols: 80, rows: 24 }
const FITTED = { cols: 0, rows: 0 }
const UNTYPED = `Nothing was typed: take the keyboard first (${keysOf('toggle-keyboard')}).`

export interface TerminalPaneProps {
  readonly page: Page
  readonly state: ViewerState
  readonly model: TerminalModel
}

export function TerminalPane({ page, state, model }: TerminalPaneProps) {
  const [current, setCurrent] = useState<CommandFacts>()
  const [target, setTarget] = useState<string>()
  const { area, gutter } = useScreen({ page, state, model, setCurrent, setTarget })
  const banner = bannerOf(model, state.connection)
  return (
    <main class="pane" aria-label={`Terminal ${model.title}`}>
      <header class="pane-head">
        <CommandButton page={page} command="leave-terminal" icon="back" title="Leave the terminal" class="back">
          List
        </CommandButton>
        <h2>
          <bdi>{model.title}</bdi>
        </h2>
        <span class="pane-directory">
          <bdi>{model.directory}</bdi>
        </span>
        <span class="pane-tools">
          <CommandButton page={page} command="find" icon="find" title="Search the output">
            <span class="wide">Search</span>
          </CommandButton>
          <CommandButton page={page} command="rename" icon="rename" title="Rename" label="Rename" />
          <CommandButton page={page} command="dispose" icon="trash" title="Dispose of this terminal" label="Dispose" />
        </span>
      </header>
      <KeyboardBanner page={page} model={model} banner={banner} />
      {state.find.kind === 'open' && <FindBar page={page} find={state.find} />}
      <div class="screen" data-typing={isTyping(banner)}>
        <div class="gutter" ref={gutter} />
        <div class="area" ref={area} />
        <output class="target" hidden={target === undefined}>
          {target}
        </output>
      </div>
      {isTyping(banner) && <TouchKeys onKey={(data) => page.controller.input(model.uri, data)} />}
      <CommandBar page={page} command={current ?? model.command} size={model.size} />
    </main>
  )
}

interface UseScreenOptions extends TerminalPaneProps {
  readonly setCurrent: (command: CommandFacts | undefined) => void
  readonly setTarget: (text: string | undefined) => void
}

/** Keeps the drawn terminal in step with the state. */
function useScreen({ page, state, model, setCurrent, setTarget }: UseScreenOptions) {
  const area = useRef<HTMLDivElement>(null)
  const gutter = useRef<HTMLDivElement>(null)
  const { uri, size, title } = model
  // It comes with its state, and is another one after a break that could not be bridged.
  const terminal = page.link()?.terminal(uri)
  const isMine = isTyping(bannerOf(model, state.connection))
  const { scheme, isScreenReader } = page.settings

  useLayoutEffect(() => {
    if (!terminal || !area.current || !gutter.current) return
    const screen = new TerminalScreen({
      area: area.current,
      gutter: gutter.current,
      source: terminal.view,
      scheme: page.settings.scheme,
      fontPx: FONT_PX,
      isScreenReader: page.settings.isScreenReader,
      label: `Terminal ${title}. ${keysOf('leave-terminal')} leaves it.`,
      onInput: (data) => page.controller.input(uri, data),
      onSize: (wanted) => page.controller.resize(uri, wanted),
      onKey: (event) => {
        const command = findCommand(CHORDS, pressOf(event))
        if (command !== undefined) page.run(command)
        return command !== undefined
      },
      onUntyped: () => page.controller.notify(UNTYPED),
      onTarget: setTarget,
      onResults: (results) => page.store.dispatch({ type: 'find-counted', results }),
      onCurrent: setCurrent,
    })
    page.shown = { uri, screen }
    return () => {
      if (page.shown?.screen === screen) page.shown = undefined
      screen.dispose()
      setCurrent(undefined)
      setTarget(undefined)
    }
  }, [page, terminal, uri])

  // Whoever decides on the size does not follow it.
  const { cols, rows } = isMine ? FITTED : (size ?? DEFAULT_SIZE)
  useLayoutEffect(() => {
    page.screen?.setTyping(isMine, isMine ? { kind: 'fit' } : { kind: 'given', size: { cols, rows } })
  }, [page, terminal, isMine, cols, rows])
  useEffect(() => page.screen?.setScheme(scheme), [page, terminal, scheme])
  useEffect(() => page.screen?.setScreenReader(isScreenReader), [page, terminal, isScreenReader])
  useEffect(() => page.screen?.handleFacts(), [page, terminal, model.command])
  return { area, gutter }
}
