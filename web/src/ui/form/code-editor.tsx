import type { ComponentProps } from 'react'
import { Skeletons } from '../notices/states.tsx'
import { part } from '../page/part.tsx'

const Editor = part(() => import('../panes/editor.tsx'))

/** A field for code or structured text, which loads when it is first shown. */
export const CodeEditor = ({
  placeholderLines,
  ...props
}: ComponentProps<typeof Editor> & { placeholderLines: number }) => (
  <Editor {...props} fallback={<Skeletons lines={placeholderLines} />} />
)
