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

/** Adds a node: its name and location, then the command to paste, then its checks as they arrive. */
export default function NewNodePage() {
  const [id, setId] = useState<string>()
  return (
    <Page
      title="Add node"
      crumbs={<Link to={paths.nodes}>Nodes</Link>}
      narrow={id === undefined}
      lead={
        id === undefined
          ? 'Name the machine. Its memory, CPU and disk are detected when it joins.'
          : undefined
      }
    >
      {id === undefined ? (
        <Card>
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
  const ready = isReady(node)
  return (
    <>
      <JoinCard node={node} />
      <Row>
        {ready ? (
          <LinkButton kind="primary" to={paths.newServer}>
            New server
          </LinkButton>
        ) : null}
        <LinkButton to={paths.node} params={{ id }}>
          Open {node.name}
        </LinkButton>
      </Row>
    </>
  )
}
