import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The common style of the panel's text editors. */

export const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--l-info)' },
  { tag: tags.string, color: 'var(--l-ok)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--l-pend)' },
  { tag: [tags.comment, tags.meta], color: 'var(--l-text-3)' },
  { tag: [tags.keyword, tags.atom], color: 'var(--l-warn)' },
])

export const look = EditorView.theme({
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
  '.cm-tooltip': {
    backgroundColor: 'var(--l-overlay)',
    border: '1px solid var(--l-line-strong)',
    borderRadius: 'var(--l-r-2)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--l-err)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--l-accent-line) !important',
  },
})
