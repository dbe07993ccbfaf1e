import type { Node } from '@lodge/shared/nodes.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import Truck from 'lucide-react/icons/truck'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { q, useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { NodeForm } from './node-form.tsx'
import { t } from './words.ts'

const FRESH = ['GET /api/nodes', 'GET /api/nodes/{id}'] as const

/** Cordon, edit, delete. */
export function NodeActions({ node }: { node: Node }) {
  const missing = useMissing()('nodes.manage')
  const navigate = useNavigate()
  const cordon = useAct('POST /api/nodes/{id}/cordon', FRESH)
  const uncordon = useAct('POST /api/nodes/{id}/uncordon', FRESH)
  const remove = useAct('DELETE /api/nodes/{id}', ['GET /api/nodes'])
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const params = { id: node.id }
  const backups = useQuery({
    ...q('GET /api/nodes/{id}/backups', { params }),
    enabled: dialog === 'delete',
  })
  const kept = backups.data?.kept
  const toggle = node.cordoned ? uncordon : cordon
  const close = () => setDialog(undefined)
  return (
    <>
      <Button
        busy={toggle.isPending}
        disabledBecause={missing}
        onClick={() =>
          toggle.mutate({ params }, { onError: (error) => toastRefused(t.notChanged, error) })
        }
      >
        {node.cordoned ? t.uncordon : t.cordon}
      </Button>
      <ActionMenu
        label={t.moreActions({ node: node.name })}
        entries={[
          {
            label: t.edit,
            icon: <Pencil />,
            disabledBecause: missing,
            onSelect: () => setDialog('edit'),
          },
          {
            label: t.moveAway,
            icon: <Truck />,
            disabledBecause: missing,
            onSelect: () => void navigate({ to: paths.nodeEvacuation, params }),
          },
          {
            label: t.delete,
            icon: <Trash2 />,
            danger: true,
            separated: true,
            disabledBecause: missing,
            onSelect: () => setDialog('delete'),
          },
        ]}
      />
      <Dialog
        title={t.editTitle({ node: node.name })}
        opened={dialog === 'edit'}
        onClose={close}
        wide
      >
        <NodeForm node={node} onDone={close} />
      </Dialog>
      <ConfirmDialog
        opened={dialog === 'delete'}
        onClose={close}
        title={t.deleteTitle({ node: node.name })}
        verb={t.deleteNode}
        typed={node.name}
        disabledBecause={kept === undefined ? t.countingBackups : undefined}
        onConfirm={async () => {
          await remove.mutateAsync({
            params,
            query: kept && kept.backups > 0 ? { confirm: 'true' } : {},
          })
          await navigate({ to: paths.nodes })
        }}
      >
        <Column>
          <Text>{t.deleteText}</Text>
          {kept && kept.backups > 0 ? (
            <Note tone="err" title={t.backupsLost({ count: kept.backups })}>
              {t.backupsLostText({
                node: node.name,
                servers: kept.servers,
                size: formatBytes(kept.storedBytes),
              })}
            </Note>
          ) : null}
        </Column>
      </ConfirmDialog>
    </>
  )
}
