import type { Server } from '@lodge/shared/servers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../../api.ts'
import { paths } from '../../../../paths.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { DangerRow } from '../danger-row.tsx'

/** A collaborator gives up access to a shared server. */
export function LeaveServer({ server }: { server: Server }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  const leave = async (): Promise<void> => {
    await api('DELETE /api/servers/{id}/rights', { params: { id: server.id } })
    await navigate({ to: paths.servers })
    await client.invalidateQueries({ queryKey: ['GET /api/servers'] })
  }
  return (
    <DangerRow title="Leave" text={`${server.ownerEmail} shares this server with you.`}>
      <Button kind="warning" onClick={() => setAsked(true)}>
        Leave server
      </Button>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={`Leave ${server.name}`}
        verb="Leave server"
        onConfirm={leave}
      >
        You lose access to this server. {server.ownerEmail} can invite you again.
      </ConfirmDialog>
    </DangerRow>
  )
}
