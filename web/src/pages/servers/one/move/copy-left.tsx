import { useState } from 'react'
import { useAct } from '../../../../query.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Tick } from '../../../../ui/choices/tick.tsx'
import { At } from '../../../../ui/data/time.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { Column as Stack, Text } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { useServer } from '../use-server.ts'
import { t } from './words.ts'

interface Place {
  readonly id: string | null
  readonly name: string | null
}

/** A copy that a change of storage has left and that was not deleted, for when the present storage is away. */
export function CopyLeft(props: { place: Place; at: string; whyNot: string | undefined }) {
  const { place, at, whyNot } = props
  const { nodeName: node } = useServer()
  const [isOpen, setOpen] = useState(false)
  const when = () => <At at={at} />
  return (
    <>
      <Note
        tone="info"
        action={
          <Button size="small" disabledBecause={whyNot} onClick={() => setOpen(true)}>
            {t.takeCopyOpen}
          </Button>
        }
      >
        {place.name === null
          ? rich(t.copyOnDisk({ node, when }))
          : rich(t.copyOnStorage({ node, storage: place.name, when }))}
      </Note>
      {isOpen ? <TakeDialog place={place} at={at} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function TakeDialog({ place, at, onClose }: { place: Place; at: string; onClose: () => void }) {
  const server = useServer()
  const [agreed, setAgreed] = useState(false)
  const take = useAct('POST /api/servers/{id}/take-copy', [
    'GET /api/jobs',
    'GET /api/servers/{id}',
    'GET /api/servers/{id}/migration-targets',
    'GET /api/servers/{id}/vm/migration-targets',
  ])
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.takeCopyOf({ server: server.name })}
      verb={t.takeCopy}
      disabledBecause={agreed ? undefined : t.agreeFirst}
      onConfirm={() =>
        take.mutateAsync({
          params: { id: server.id },
          body: { storageId: place.id, stop: true, confirm: true },
        })
      }
    >
      <Stack gap={14}>
        <Text>{rich(t.takeCopyText({ when: () => <At at={at} /> }))}</Text>
        <Note tone="warn" title={t.takeCopyMisses}>
          <Tick label={t.takeCopyAgree} checked={agreed} onChange={setAgreed} />
        </Note>
      </Stack>
    </ConfirmDialog>
  )
}
