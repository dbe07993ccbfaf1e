import type { Server } from '@lodge/shared/servers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../../api.ts'
import { paths } from '../../../../paths.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { DangerRow } from '../danger-row.tsx'
import { t } from './words.ts'

/** A collaborator gives up access to a shared server. */
export function LeaveServer({ server }: { server: Server }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  const leave = async (): Promise<void> => {
    await api('DELETE /api/servers/{id}/rights', { params: { id: server.id } })
    toastDone(t.left({ server: server.name }))
    await navigate({ to: paths.servers })
    await client.invalidateQueries({ queryKey: ['GET /api/servers'] })
  }
  return (
    <DangerRow title={t.leave} text={t.leaveText({ owner: server.ownerEmail })}>
      <Button kind="warning" onClick={() => setAsked(true)}>
        {t.leaveServer}
      </Button>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={t.leaveTitle({ server: server.name })}
        verb={t.leaveServer}
        onConfirm={leave}
      >
        {t.leaveQuestion({ owner: server.ownerEmail })}
      </ConfirmDialog>
    </DangerRow>
  )
}
