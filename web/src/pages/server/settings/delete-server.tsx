import type { Server } from '@lodge/shared/servers.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { useMissing } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm.tsx'
import { toastDone } from '../../../ui/toast.tsx'
import { DangerRow } from '../danger-row.tsx'

/** The host deletes a server at once. */
export function DeleteServer({ server }: { server: Server }) {
  const missing = useMissing()
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  const remove = async (): Promise<void> => {
    await api('DELETE /api/servers/{id}', { params: { id: server.id } })
    toastDone(`${server.name} is being deleted`, 'Its progress is under Jobs.')
    await navigate({ to: paths.servers })
  }
  return (
    <DangerRow
      title="Delete"
      text="Removes the server and every file in it. This cannot be undone."
    >
      <Button
        kind="danger"
        disabledBecause={missing('servers.delete')}
        onClick={() => setAsked(true)}
      >
        Delete server
      </Button>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={`Delete ${server.name}`}
        verb="Delete server"
        typed={server.name}
        onConfirm={remove}
      >
        The server, its ports and all of its files on {server.nodeName} are removed for good.
      </ConfirmDialog>
    </DangerRow>
  )
}
