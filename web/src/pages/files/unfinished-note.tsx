import { useState } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { nameOf } from './file-names.ts'
import { beginUpload } from './upload/begin.ts'
import { pick } from './upload/collect.ts'
import { useUploadedElsewhere } from './upload/elsewhere.ts'
import { continuing, forget, type Unfinished, unfinishedOf } from './upload/unfinished.ts'
import { useTransfers } from './upload/uploads.ts'
import { t } from './words.ts'

const MOST_NAMED = 3

/** Uploads interrupted by a reload or a closed browser: choosing the same files resumes them. */
export function UnfinishedNote({ serverId }: { serverId: string }) {
  const transfers = useTransfers()
  const [, setAsked] = useState(0)
  const known = new Set(transfers.map(({ path }) => path))
  const left = unfinishedOf(serverId).filter(({ path }) => !known.has(path))
  if (left.length === 0) return null
  return (
    <LeftNote serverId={serverId} all={left} onForgotten={() => setAsked((count) => count + 1)} />
  )
}

interface LeftNoteProps {
  serverId: string
  all: readonly Unfinished[]
  onForgotten: () => void
}

function LeftNote({ serverId, all, onForgotten }: LeftNoteProps) {
  const elsewhere = useUploadedElsewhere(serverId)
  const left = elsewhere ? all.filter(({ path }) => !elsewhere.has(path)) : []
  if (left.length === 0) return null
  const choose = async (): Promise<void> => {
    const files = await pick(false)
    if (files.length === 0) return
    const found = continuing(left, files)
    if (found.length === 0) return toastRefused(t.notTheSame, new Error(t.notTheSameText))
    beginUpload(serverId, { files: found })
  }
  const names = left.slice(0, MOST_NAMED).map(({ path }) => nameOf(path))
  const more = left.length > names.length ? ['…'] : []
  return (
    <Note
      tone="info"
      title={t.unfinishedTitle({ count: left.length })}
      action={
        <Row gap={6}>
          <Button size="small" onClick={() => void choose()}>
            {t.chooseAgain}
          </Button>
          <Button
            size="small"
            kind="quiet"
            onClick={() => {
              forget(left)
              onForgotten()
            }}
          >
            {t.forgetThem}
          </Button>
        </Row>
      }
    >
      {t.unfinishedText({ files: [...names, ...more].join(', ') })}
    </Note>
  )
}
