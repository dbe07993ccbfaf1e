import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { isReady } from './checks.tsx'
import { JoinCard } from './join-card.tsx'
import { NodeForm } from './node-form.tsx'

/** Adds a node: its capacity, then the command to paste, then its checks as they arrive. */
export default function NewNodePage() {
  const [id, setId] = useState<string>()
  return (
    <Page title="Add node" crumbs={<Link to={paths.nodes}>Nodes</Link>} narrow={id === undefined}>
      {id === undefined ? (
        <Card title="The machine">
          <NodeForm onDone={(node) => setId(node.id)} />
        </Card>
      ) : (
        <Joining id={id} />
      )}
    </Page>
  )
}

function Joining({ id }: { id: string }) {
  const { data: node } = useQuery({
    ...q('GET /api/nodes/{id}', { params: { id } }),
    refetchInterval: 3_000,
  })
  if (!node) return null
  return (
    <>
      <JoinCard node={node} />
      <Row>
        <LinkButton kind={isReady(node) ? 'primary' : 'default'} to={paths.node} params={{ id }}>
          Open {node.name}
        </LinkButton>
        {isReady(node) ? <LinkButton to={paths.newServer}>New server</LinkButton> : null}
      </Row>
    </>
  )
}
