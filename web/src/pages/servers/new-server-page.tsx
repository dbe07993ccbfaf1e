import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMe } from '../../session/session.ts'
import { Card } from '../../ui/card.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { NewServerForm } from './new-server/new-server-form.tsx'
import { OwnServerForm } from './own-server/own-server-form.tsx'
import { whyNoServer } from './own-server/room.ts'

/** Create a server: everything on one page, with what it will come to beside it. */
export default function NewServerPage() {
  const { role } = useMe()
  return role === 'admin' ? <NewServer /> : <OwnServer />
}

function OwnServer() {
  const options = useQuery(q('GET /api/me/servers/options'))
  return (
    <Page title="New server">
      <Loaded query={options} lines={8}>
        {(found) => {
          const blocked = whyNoServer(found)
          return blocked === undefined ? (
            <OwnServerForm options={found} />
          ) : (
            <Card>
              <Empty
                title="You cannot create a server now"
                action={<LinkButton to={paths.servers}>Back to the servers</LinkButton>}
              >
                {blocked}.
              </Empty>
            </Card>
          )
        }}
      </Loaded>
    </Page>
  )
}

function NewServer() {
  const { template, owner } = useSearch({ from: '/in/servers/new' })
  const templates = useQuery(q('GET /api/templates', { query: { limit: 100 } }))
  const nodes = useQuery(q('GET /api/nodes', { query: { limit: 100 } }))
  const missing =
    templates.data?.items.length === 0
      ? { what: 'template', to: paths.newTemplate, text: 'Import template' }
      : nodes.data?.items.length === 0
        ? { what: 'node', to: paths.newNode, text: 'Add node' }
        : undefined
  return (
    <Page title="New server">
      {missing ? (
        <Card>
          <Empty
            title={`There is no ${missing.what} yet`}
            action={
              <LinkButton kind="primary" to={missing.to}>
                {missing.text}
              </LinkButton>
            }
          >
            A server needs a template that says what to run, and a node to run on.
          </Empty>
        </Card>
      ) : (
        <Loaded query={templates} lines={8}>
          {(list) => (
            <Loaded query={nodes} lines={8}>
              {(found) => (
                <NewServerForm
                  templates={list.items}
                  nodes={found.items}
                  templateId={template}
                  ownerId={owner}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Page>
  )
}
