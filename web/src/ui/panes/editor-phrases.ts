import { EditorState, type Extension } from '@codemirror/state'
import { t } from './words.ts'

/** Translations of the editor's built-in texts. */
export const editorPhrases = (): Extension =>
  EditorState.phrases.of({
    Find: t.find,
    Replace: t.replaceWith,
    next: t.next,
    previous: t.previous,
    all: t.all,
    'match case': t.matchCase,
    regexp: t.regexp,
    'by word': t.byWord,
    replace: t.replace,
    'replace all': t.replaceAll,
    close: t.closeSearch,
    'current match': t.currentMatch,
    'on line': t.onLine,
    'replaced match on line $': t.replacedOnLine,
    'replaced $ matches': t.replacedMatches,
    'Go to line': t.goToLine,
    go: t.go,
    'Fold line': t.foldLine,
    'Unfold line': t.unfoldLine,
    'Folded lines': t.foldedLines,
    'Unfolded lines': t.unfoldedLines,
    to: t.foldTo,
    'folded code': t.foldedCode,
    unfold: t.unfold,
    'Control character': t.controlCharacter,
    'Selection deleted': t.selectionDeleted,
    '$ unchanged lines': t.unchangedLines,
    'Revert this chunk': t.takeTheirs,
    Diagnostics: t.diagnostics,
    'No diagnostics': t.noDiagnostics,
  })
