import { EditorState, type Text } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import styles from './file-editor.module.css'
import { type FileSetup, fileSetup } from './file-setup.ts'

export interface FileText {
  text(): string
  /** The current text, to be saved; what is typed from here on counts as unsaved. */
  beginSave(): { readonly text: string; readonly markSaved: () => void }
}

interface FileEditorProps extends FileSetup {
  /** The initial text; another text needs another editor, by its key. */
  initial: string
  handle: Ref<FileText>
  /** Whether the text differs from what was saved last. */
  onChanged: (changed: boolean) => void
}

/** The editor of one file. The text stays in the editor until it is requested: it may have 2 MiB. */
export default function FileEditor({ initial, handle, onChanged, ...setup }: FileEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const saved = useRef<Text>(undefined)
  const latestOnChanged = useRef(onChanged)
  latestOnChanged.current = onChanged
  const { label, path, readOnly, mixedEnds } = setup

  // Edited text stays when the right to edit is withdrawn meanwhile.
  const start = useRef(initial)
  useEffect(() => {
    if (!host.current) return
    const { extensions, attend } = fileSetup({ label, path, readOnly, mixedEnds })
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: start.current,
        extensions: [
          extensions,
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latestOnChanged.current(saved.current?.eq(state.doc) !== true)
          }),
        ],
      }),
    })
    saved.current ??= made.state.doc
    view.current = made
    attend(made)
    return () => {
      start.current = made.state.sliceDoc()
      made.destroy()
    }
  }, [label, path, readOnly, mixedEnds])

  useImperativeHandle(
    handle,
    () => ({
      text: () => view.current?.state.sliceDoc() ?? initial,
      beginSave: () => {
        const doc = view.current?.state.doc
        return {
          text: view.current?.state.sliceDoc() ?? initial,
          markSaved: () => {
            saved.current = doc
            const now = view.current?.state.doc
            latestOnChanged.current(doc !== undefined && now?.eq(doc) === false)
          },
        }
      },
    }),
    [initial],
  )
  return <div ref={host} className={styles.editor} />
}
