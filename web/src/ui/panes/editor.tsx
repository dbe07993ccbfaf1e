import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  foldGutter,
  indentOnInput,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language'
import { shell } from '@codemirror/legacy-modes/mode/shell'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { styleNonce } from '../../nonce.ts'
import styles from './editor.module.css'
import { colours, look } from './editor-look.ts'
import { editorPhrases } from './editor-phrases.ts'

/** An error in a part of the text; offsets in characters. */
export interface TextFault {
  readonly from: number
  readonly to: number
  readonly message: string
}

interface EditorProps {
  label: string
  value: string
  language: keyof typeof LANGUAGES
  readOnly?: boolean
  /** Lower than usual, for a form field. */
  low?: boolean
  /** Marked at their lines. */
  faults?: readonly TextFault[]
  onChange?: (value: string) => void
}

const LANGUAGES = { json, yaml, shell: () => StreamLanguage.define(shell) }

/** The smallest change from one text to the other, so that shared parts and the cursor stay. */
function changeBetween(old: string, next: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(old.length, next.length)
  let from = 0
  while (from < shorter && old[from] === next[from]) from++
  let same = 0
  while (same < shorter - from && old.at(-1 - same) === next.at(-1 - same)) same++
  return { from, to: old.length - same, insert: next.slice(from, next.length - same) }
}

const diagnosticOf =
  (length: number) =>
  ({ from, to, message }: TextFault): Diagnostic => ({
    from: Math.min(from, length),
    to: Math.min(to, length),
    message,
    severity: 'error',
  })

/** A text editor for documents. Tab indents; Escape and then Tab leaves it. */
export default function Editor(props: EditorProps) {
  const { label, value, language, readOnly, low, faults, onChange } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const changed = useRef(onChange)
  /** True while a text from outside is being applied, so that it is not reported back. */
  const syncing = useRef(false)
  changed.current = onChange

  // Text from outside is applied below
  useEffect(() => {
    if (!host.current) return
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          editorPhrases(),
          lineNumbers(),
          foldGutter(),
          history(),
          bracketMatching(),
          indentOnInput(),
          highlightActiveLine(),
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          LANGUAGES[language](),
          lintGutter(),
          syntaxHighlighting(colours),
          look,
          EditorView.lineWrapping,
          EditorView.cspNonce.of(styleNonce),
          EditorState.readOnly.of(readOnly ?? false),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !syncing.current)
              changed.current?.(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [language, readOnly, label])

  useEffect(() => {
    const present = view.current
    if (present && present.state.doc.toString() !== value) {
      syncing.current = true
      present.dispatch({ changes: changeBetween(present.state.doc.toString(), value) })
      syncing.current = false
    }
  }, [value])

  useEffect(() => {
    const present = view.current
    if (!present) return
    const marks = (faults ?? []).map(diagnosticOf(present.state.doc.length))
    present.dispatch(setDiagnostics(present.state, marks))
  }, [faults])
  return <div ref={host} className={low ? `${styles.editor} ${styles.low}` : styles.editor} />
}
