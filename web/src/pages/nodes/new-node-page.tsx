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
import { t } from './words.ts'

/** Adds a node: its name and location, then the command to paste, then its checks as they arrive. */
export default function NewNodePage() {
  const [id, setId] = useState<string>()
  return (
    <Page
      title={t.addNode}
      crumbs={<Link to={paths.nodes}>{t.nodes}</Link>}
      narrow={id === undefined}
      lead={id === undefined ? t.newNodeLead : undefined}
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
            {t.newServer}
          </LinkButton>
        ) : null}
        <LinkButton to={paths.node} params={{ id }}>
          {t.openNode({ node: node.name })}
        </LinkButton>
      </Row>
    </>
  )
}
