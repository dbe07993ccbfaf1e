import { Note } from '../../../../ui/notices/note.tsx'

/** Said before a server is made whose image may not be had. */
export function ImageNote({ why }: { why: string | null | undefined }) {
  if (!why) return null
  return (
    <Note tone="warn" role="status" title="The image may not be available">
      {why}.
    </Note>
  )
}
