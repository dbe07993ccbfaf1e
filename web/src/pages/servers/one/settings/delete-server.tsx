import type { Server } from '@lodge/shared/servers.ts'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../../api.ts'
import { paths } from '../../../../paths.ts'
import { useMissing } from '../../../../session/session.ts'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { DeleteRow } from './delete-row.tsx'
import { t } from './words.ts'

/** For the host: deletes a server immediately. */
export function DeleteServer({ server }: { server: Server }) {
  const missing = useMissing()
  const navigate = useNavigate()
  const remove = async (): Promise<void> => {
    await api('DELETE /api/servers/{id}', {
      params: { id: server.id },
      query: { confirm: 'true' },
    })
    toastDone(t.beingDeleted({ server: server.name }), t.beingDeletedText)
    await navigate({ to: paths.servers })
  }
  return (
    <DeleteRow
      server={server}
      text={t.deleteNowText}
      disabledBecause={missing('servers.delete')}
      onConfirm={remove}
    >
      {t.deleteNowQuestion({ node: server.nodeName })}
    </DeleteRow>
  )
}
