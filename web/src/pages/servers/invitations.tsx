import { panelPath } from '@lodge/shared/panel-paths.ts'
import { SERVER_PERMISSIONS } from '@lodge/shared/server-permission-list.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { q, useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Row, Column as Stack } from '../../ui/page/layout.tsx'

/** Invitations to servers of others, to accept or to decline; nothing without invitations. */
export function Invitations() {
  const open = useQuery(q('GET /api/invitations'))
  const accept = useAct('POST /api/invitations/{id}/accept', [
    'GET /api/invitations',
    'GET /api/servers',
  ])
  const decline = useAct('DELETE /api/invitations/{id}', ['GET /api/invitations'])
  const navigate = useNavigate()
  const busy = accept.isPending || decline.isPending
  const items = open.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Stack gap={10}>
      {items.map(({ id, serverName, inviter, permissions, expiresAt }) => (
        <Note
          key={id}
          tone="info"
          role="status"
          title={`${inviter ?? 'The host'} shares ${serverName} with you`}
          action={
            <Row gap={8} nowrap>
              <Button
                size="small"
                disabledBecause={busy ? 'One moment' : undefined}
                aria-label={`Decline ${serverName}`}
                onClick={() =>
                  decline.mutate(
                    { params: { id } },
                    {
                      onSuccess: () => toastDone(`Declined ${serverName}`),
                      onError: (error) => toastRefused(`${serverName} was not declined`, error),
                    },
                  )
                }
              >
                Decline
              </Button>
              <Button
                size="small"
                kind="primary"
                disabledBecause={busy ? 'One moment' : undefined}
                aria-label={`Accept ${serverName}`}
                onClick={() =>
                  accept.mutate(
                    { params: { id } },
                    {
                      onSuccess: ({ serverId }) => {
                        toastDone(`You have access to ${serverName}`)
                        void navigate({ href: panelPath('server', { id: serverId }) })
                      },
                      onError: (error) => toastRefused(`${serverName} was not accepted`, error),
                    },
                  )
                }
              >
                Accept
              </Button>
            </Row>
          }
        >
          You may: {permissions.map((one) => SERVER_PERMISSIONS[one].title).join(', ')}. The
          invitation ends <Ago at={expiresAt} />.
        </Note>
      ))}
    </Stack>
  )
}
