import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { useNarrow } from '../page/use-narrow.ts'
import styles from './file-editor.module.css'
import { type FileSetup, fileSetup } from './file-setup.ts'

interface MergeProps extends Omit<FileSetup, 'label' | 'readOnly'> {
  theirs: string
  mine: string
  theirsLabel: string
  mineLabel: string
  /** Nothing can be typed while the text is saved: it would be lost once that is done. */
  saving: boolean
  /** Provides the merged text. */
  handle: Ref<{ text(): string }>
}

const COLLAPSE = { margin: 3, minSize: 6 }

/** Applies one version of a passage. */
function takes(label: string, act: (event: MouseEvent) => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = styles.take ?? ''
  button.textContent = label
  button.addEventListener('mousedown', act)
  return button
}

/** Two versions of a file side by side, merged into one column on a phone; one's own is editable. */
export default function Merge(props: MergeProps) {
  const { theirs, mine, theirsLabel, mineLabel, path, mixedEnds, saving, handle } = props
  const host = useRef<HTMLDivElement>(null)
  const own = useRef<EditorView>(undefined)
  const kept = useRef(mine)
  const narrow = useNarrow()
  useEffect(() => {
    const parent = host.current
    if (!parent) return
    const about = { path, mixedEnds }
    const right = fileSetup({ ...about, label: mineLabel, readOnly: false })
    if (narrow) {
      const view = new EditorView({
        parent,
        state: EditorState.create({
          doc: kept.current,
          extensions: [
            right.extensions,
            unifiedMergeView({
              original: theirs,
              collapseUnchanged: COLLAPSE,
              mergeControls: (type, act) => takes(type === 'accept' ? mineLabel : theirsLabel, act),
            }),
          ],
        }),
      })
      right.attend(view)
      own.current = view
    } else {
      const left = fileSetup({ ...about, label: theirsLabel, readOnly: true })
      const both = new MergeView({
        parent,
        a: { doc: theirs, extensions: left.extensions },
        b: { doc: kept.current, extensions: right.extensions },
        revertControls: 'a-to-b',
        collapseUnchanged: COLLAPSE,
      })
      left.attend(both.a)
      right.attend(both.b)
      own.current = both.b
      return () => {
        kept.current = both.b.state.sliceDoc()
        both.destroy()
      }
    }
    return () => {
      kept.current = own.current?.state.sliceDoc() ?? kept.current
      own.current?.destroy()
    }
  }, [theirs, path, mixedEnds, theirsLabel, mineLabel, narrow])
  useImperativeHandle(handle, () => ({ text: () => own.current?.state.sliceDoc() ?? '' }), [])
  return <div ref={host} className={`${styles.editor} ${styles.merge}`} inert={saving} />
}
