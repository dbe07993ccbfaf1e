import type { Server } from '@lodge/shared/servers.ts'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../../api.ts'
import { paths } from '../../../../paths.ts'
import { useMissing } from '../../../../session/session.ts'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { DeleteRow } from './delete-row.tsx'

/** The host deletes a server at once. */
export function DeleteServer({ server }: { server: Server }) {
  const missing = useMissing()
  const navigate = useNavigate()
  const remove = async (): Promise<void> => {
    await api('DELETE /api/servers/{id}', {
      params: { id: server.id },
      query: { confirm: 'true' },
    })
    toastDone(`${server.name} is being deleted`, 'Its progress is under Jobs.')
    await navigate({ to: paths.servers })
  }
  return (
    <DeleteRow
      server={server}
      text="Deletes the server and its files. This cannot be undone."
      disabledBecause={missing('servers.delete')}
      onConfirm={remove}
    >
      This deletes the server, its ports and its files on {server.nodeName} for good.
    </DeleteRow>
  )
}
