import { useState } from 'react'
import type { Reply } from '../../../../api.ts'
import { why } from '../../../../panel/said.ts'
import { useAct } from '../../../../query.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { duration } from '../../../../ui/data/time-words.ts'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../../../ui/page/layout.tsx'
import { useServer } from '../use-server.ts'
import { CopyLeft } from './copy-left.tsx'
import { usePlaceChoice } from './move-targets.tsx'
import { t } from './words.ts'

type Here = Reply<'GET /api/servers/{id}/migration-targets'>['here']

/** Where a server lies on its node, for whoever may choose that, and the change to another storage. */
export function ChangeStorage(props: {
  here: Here | undefined
  /** Why the viewer cannot change it at all now. */
  whyNot: string | undefined
  /** How long the copy takes, as far as known. */
  copySeconds: number | null
}) {
  const { here, whyNot, copySeconds } = props
  const server = useServer()
  const [isOpen, setOpen] = useState(false)
  if (!here || here.storages.length === 0) return null
  const fits = here.storages.some((place) => place.why === null)
  const { id, name } = here.present
  return (
    <Card
      title={t.storage}
      actions={
        <Button
          size="small"
          disabledBecause={whyNot ?? (fits ? undefined : why(here.storages[0]?.why))}
          onClick={() => setOpen(true)}
        >
          {t.changeStorageOpen}
        </Button>
      }
    >
      <Stack gap={10}>
        <Text>
          {id === null
            ? t.liesOnDisk({ node: server.nodeName })
            : name === null
              ? t.liesAway({ node: server.nodeName })
              : t.liesOn({ storage: name })}
        </Text>
        {here.storages.map((place) =>
          place.copyOf === null ? null : (
            <CopyLeft key={place.id ?? 'disk'} place={place} at={place.copyOf} whyNot={whyNot} />
          ),
        )}
      </Stack>
      {isOpen ? (
        <ChangeDialog here={here} copySeconds={copySeconds} onClose={() => setOpen(false)} />
      ) : null}
    </Card>
  )
}

function ChangeDialog(props: { here: Here; copySeconds: number | null; onClose: () => void }) {
  const { here, copySeconds, onClose } = props
  const server = useServer()
  const place = usePlaceChoice({ possible: false, storages: here.storages })
  const migrate = useAct('POST /api/servers/{id}/migrate', [
    'GET /api/jobs',
    'GET /api/servers/{id}',
    'GET /api/servers/{id}/migration-targets',
    'GET /api/servers/{id}/vm/migration-targets',
  ])
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.changeStorageOf({ server: server.name })}
      verb={t.changeStorage}
      kind="primary"
      onConfirm={() =>
        migrate.mutateAsync({
          params: { id: server.id },
          body: { nodeId: server.nodeId, ...place.body },
        })
      }
    >
      <Stack gap={14}>
        {place.field ? <SelectField label={t.newStorage} {...place.field} /> : null}
        {server.status === 'stopped' || copySeconds === null ? null : (
          <Text strong>{t.off({ off: duration(copySeconds * 1000) })}</Text>
        )}
        <Text>{t.changeStorageText}</Text>
      </Stack>
    </ConfirmDialog>
  )
}
