import { Note } from '../../../../ui/notices/note.tsx'

/** Warns before creating a server whose image may be unavailable. */
export function ImageNote({ why }: { why: string | null | undefined }) {
  if (!why) return null
  return (
    <Note tone="warn" role="status" title="The image may not be available">
      {why}.
    </Note>
  )
}
