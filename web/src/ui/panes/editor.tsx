import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  foldGutter,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { styleNonce } from '../../nonce.ts'
import styles from './editor.module.css'

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--l-info)' },
  { tag: tags.string, color: 'var(--l-ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--l-pend)' },
  { tag: [tags.comment, tags.meta], color: 'var(--l-text-3)' },
  { tag: [tags.keyword, tags.atom], color: 'var(--l-warn)' },
])

const look = EditorView.theme({
  '&': {
    backgroundColor: 'var(--l-surface)',
    color: 'var(--l-text)',
    fontSize: 'var(--l-fs-sm)',
    height: '100%',
  },
  '.cm-scroller': { fontFamily: 'var(--l-font-mono)', lineHeight: '1.6' },
  '.cm-gutters': {
    backgroundColor: 'var(--l-fill)',
    color: 'var(--l-text-3)',
    borderRight: '1px solid var(--l-line)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--l-fill)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--l-fill-2)' },
  '.cm-content': { caretColor: 'var(--l-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--l-text)' },
  '&.cm-focused': { outline: '2px solid var(--l-focus)', outlineOffset: '-1px' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--l-accent-line) !important',
  },
})

interface EditorProps {
  label: string
  value: string
  language: 'json' | 'yaml'
  readOnly?: boolean
  onChange?: (value: string) => void
}

/** A text editor for documents. Tab indents; Escape and then Tab leaves it. */
export default function Editor({ label, value, language, readOnly, onChange }: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const changed = useRef(onChange)
  changed.current = onChange

  // Text from outside is inserted below
  useEffect(() => {
    if (!host.current) return
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          foldGutter(),
          history(),
          bracketMatching(),
          indentOnInput(),
          highlightActiveLine(),
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          language === 'json' ? json() : yaml(),
          syntaxHighlighting(colours),
          look,
          EditorView.lineWrapping,
          EditorView.cspNonce.of(styleNonce),
          EditorState.readOnly.of(readOnly ?? false),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current?.(update.state.doc.toString())
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
      present.dispatch({ changes: { from: 0, to: present.state.doc.length, insert: value } })
    }
  }, [value])
  return <div ref={host} className={styles.editor} />
}
