import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMe } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Page } from '../../ui/page/page.tsx'
import { WithTemplates } from '../servers/create/container/with-templates.tsx'
import { FirstServerForm } from './first-server-form.tsx'
import { Steps } from './steps.tsx'
import { t } from './words.ts'

/** Third step of the set-up: a server from a template, with everything else filled in. */
export default function FirstServerPage() {
  const me = useMe()
  const nodes = useQuery(q('GET /api/nodes'))
  return (
    <Page
      title={t.yourServer}
      lead={t.yourServerLead}
      actions={<LinkButton to={paths.overview}>{t.skip}</LinkButton>}
    >
      <Steps now={2} />
      <WithTemplates>
        {(templates) => (
          <Loaded query={nodes} lines={8}>
            {({ items }) => <FirstServerForm templates={templates} nodes={items} ownerId={me.id} />}
          </Loaded>
        )}
      </WithTemplates>
    </Page>
  )
}
