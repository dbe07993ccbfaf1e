import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { styleNonce } from '../../nonce.ts'
import { colours, look } from './editor-look.ts'
import { editorPhrases } from './editor-phrases.ts'
import { languageOf, loadLanguage } from './languages.ts'

export interface FileSetup {
  readonly label: string
  readonly path: string
  readonly readOnly: boolean
  /** Mixed line endings are preserved. */
  readonly mixedEnds: boolean
}

/** The extensions of every file editor; its language follows once loaded. */
export function fileSetup({ label, path, readOnly, mixedEnds }: FileSetup): {
  readonly extensions: Extension
  readonly attend: (view: EditorView) => void
} {
  const language = new Compartment()
  const extensions: Extension = [
    editorPhrases(),
    lineNumbers(),
    foldGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    bracketMatching(),
    indentOnInput(),
    indentUnit.of('  '),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    keymap.of([...searchKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
    language.of([]),
    syntaxHighlighting(colours),
    look,
    EditorView.lineWrapping,
    EditorView.cspNonce.of(styleNonce),
    EditorState.readOnly.of(readOnly),
    ...(mixedEnds ? [EditorState.lineSeparator.of('\n')] : []),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false' }),
  ]
  return {
    extensions,
    attend: (view) => {
      void loadLanguage(languageOf(path)).then((loaded) =>
        view.dispatch({ effects: language.reconfigure(loaded) }),
      )
    },
  }
}
