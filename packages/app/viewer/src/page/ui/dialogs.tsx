/** Everything that asks before it acts, and the help. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Page } from '../app/page.js'
import type { Dialog } from '../core/state.js'
import type { TerminalModel } from '../core/terminal-model.js'
import { Help } from './help.js'

export interface DialogsProps {
  readonly page: Page
  readonly dialog: Dialog
  readonly models: readonly TerminalModel[]
}

export function Dialogs({ page, dialog, models }: DialogsProps) {
  const close = () => page.store.dispatch({ type: 'dialog-closed' })
  const model = 'uri' in dialog ? models.find(({ uri }) => uri === dialog.uri) : undefined
  switch (dialog.kind) {
    case 'none':
      return null
    case 'help':
      return (
        <Modal title="Keys and settings" onClose={close}>
          <Help page={page} />
        </Modal>
      )
    case 'create':
      return <Create page={page} onClose={close} />
    case 'rename':
      return model ? <Rename page={page} model={model} onClose={close} /> : null
    case 'dispose':
      return model ? <Dispose page={page} model={model} onClose={close} /> : null
  }
}

interface ModalProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** The browser keeps the focus inside, closes on Escape, and gives the focus back. */
function Modal({ title, onClose, children }: ModalProps) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={element} aria-labelledby="dialog-title" onClose={onClose}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  )
}

interface FormProps {
  readonly title: string
  readonly confirm: string
  readonly isDangerous?: boolean
  readonly onConfirm: (data: FormData) => void
  readonly onClose: () => void
  readonly children: ComponentChildren
}

function ModalForm({ title, confirm, isDangerous = false, onConfirm, onClose, children }: FormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const data = new FormData(event.currentTarget)
    onClose()
    onConfirm(data)
  }
  return (
    <Modal title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {children}
        <p class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? 'button danger' : 'button primary'}>
            {confirm}
          </button>
        </p>
      </form>
    </Modal>
  )
}

function Create({ page, onClose }: { readonly page: Page; readonly onClose: () => void }) {
  const create = async (data: FormData) => {
    const name = textOf(data, 'name')
    const cwd = textOf(data, 'directory')
    const isCreated = await page.controller.create({
      ...(name === '' ? {} : { name }),
      ...(cwd === '' ? {} : { cwd: `file://${encodeURI(cwd)}` }),
    })
    if (isCreated) page.focusWhenShown()
  }
  return (
    <ModalForm title="New terminal" confirm="Open" onClose={onClose} onConfirm={(data) => void create(data)}>
      <label for="create-name">Name</label>
      <input id="create-name" name="name" type="text" maxLength={120} autocomplete="off" placeholder="optional" />
      <label for="create-directory">Directory</label>
      <input
        id="create-directory"
        name="directory"
        type="text"
        autocomplete="off"
        spellcheck={false}
        pattern="/.*"
        title="a full path, beginning with /"
        placeholder="the host’s own"
      />
      <p class="quiet">It runs on the host, as its user. You have the keyboard.</p>
    </ModalForm>
  )
}

interface OfTerminal {
  readonly page: Page
  readonly model: TerminalModel
  readonly onClose: () => void
}

function Rename({ page, model, onClose }: OfTerminal) {
  return (
    <ModalForm
      title="Rename the terminal"
      confirm="Rename"
      onClose={onClose}
      onConfirm={(data) => void page.controller.rename(model.uri, textOf(data, 'title'))}
    >
      <label for="rename-title">Name</label>
      <input
        id="rename-title"
        name="title"
        type="text"
        required
        maxLength={256}
        autocomplete="off"
        defaultValue={model.title}
      />
    </ModalForm>
  )
}

function Dispose({ page, model, onClose }: OfTerminal) {
  const { title, agent, life, command } = model
  const isBusy = life.kind === 'running' && command?.outcome.kind === 'running'
  return (
    <ModalForm
      title="Dispose of the terminal?"
      confirm="Dispose"
      isDangerous
      onClose={onClose}
      onConfirm={() => void page.controller.dispose(model.uri)}
    >
      <p>
        <strong>
          <bdi>{title}</bdi>
        </strong>{' '}
        {life.kind === 'running'
          ? 'is closed, and everything that was started in it ends.'
          : 'leaves the list, and its output is forgotten.'}
      </p>
      {isBusy && (
        <p>
          It is running <code>{command.line}</code>.
        </p>
      )}
      {agent !== undefined && life.kind === 'running' && <p>It belongs to agent {agent}, which will find it closed.</p>}
    </ModalForm>
  )
}

function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value.trim() : ''
}
