import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMe } from '../../session/session.ts'
import { Card } from '../../ui/card.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { FirstServerForm } from './first-server-form.tsx'
import { Steps } from './steps.tsx'

/** Third step of the set-up: a server from a template, with everything else filled in. */
export default function FirstServerPage() {
  const me = useMe()
  const templates = useQuery(q('GET /api/templates', { query: { limit: 100 } }))
  return (
    <Page
      title="Your first server"
      lead="Pick what to run. Everything else can be changed later."
      actions={<LinkButton to={paths.overview}>Skip</LinkButton>}
    >
      <Steps now={2} />
      <Loaded query={templates} lines={6}>
        {({ items }) =>
          items.length === 0 ? (
            <Card>
              <Empty
                title="There is no template yet"
                action={
                  <LinkButton kind="primary" to={paths.newTemplate}>
                    Import template
                  </LinkButton>
                }
              />
            </Card>
          ) : (
            <FirstServerForm templates={items} ownerId={me.id} />
          )
        }
      </Loaded>
    </Page>
  )
}
