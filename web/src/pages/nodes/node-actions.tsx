import type { Node } from '@lodge/shared/nodes.ts'
import { useNavigate } from '@tanstack/react-router'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { NodeForm } from './node-form.tsx'

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
  const toggle = node.cordoned ? uncordon : cordon
  const close = () => setDialog(undefined)
  return (
    <>
      <Button
        busy={toggle.isPending}
        disabledBecause={missing}
        onClick={() =>
          toggle.mutate(
            { params },
            { onError: (error) => toastRefused('The node was not changed', error) },
          )
        }
      >
        {node.cordoned ? 'Uncordon' : 'Cordon'}
      </Button>
      <ActionMenu
        label={`More actions for ${node.name}`}
        entries={[
          {
            label: 'Edit node',
            icon: <Pencil />,
            disabledBecause: missing,
            onSelect: () => setDialog('edit'),
          },
          {
            label: 'Delete node',
            icon: <Trash2 />,
            danger: true,
            separated: true,
            disabledBecause: missing,
            onSelect: () => setDialog('delete'),
          },
        ]}
      />
      <Dialog title={`Edit ${node.name}`} opened={dialog === 'edit'} onClose={close} wide>
        <NodeForm node={node} onDone={close} />
      </Dialog>
      <ConfirmDialog
        opened={dialog === 'delete'}
        onClose={close}
        title={`Delete ${node.name}`}
        verb="Delete node"
        typed={node.name}
        onConfirm={async () => {
          await remove.mutateAsync({ params })
          await navigate({ to: paths.nodes })
        }}
      >
        Lodge forgets this machine and its agent can no longer connect. A node with servers on it
        cannot be deleted.
      </ConfirmDialog>
    </>
  )
}
