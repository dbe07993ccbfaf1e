import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Page } from '../../ui/page/page.tsx'
import { AbuseSettings } from './abuse-settings.tsx'
import { BridgeSecret } from './bridge-secret.tsx'
import { InboundSettings } from './inbound-settings.tsx'
import { t } from './words.ts'

/** What the desk receives from outside: mail, and reports of abuse. */
export default function MailPage() {
  const inbound = useQuery(q('GET /api/support/inbound/settings'))
  const abuse = useQuery(q('GET /api/support/abuse/settings'))
  const desk = useQuery(q('GET /api/support/settings'))
  return (
    <Page title={t.mail} lead={t.mailLead}>
      <Loaded query={inbound} lines={8}>
        {(mail) => (
          <Loaded query={abuse} lines={3}>
            {(reports) => (
              <Loaded query={desk} lines={3}>
                {({ groups }) => (
                  <SaveForm label={t.mail} submitText={t.save}>
                    <InboundSettings saved={mail} />
                    <BridgeSecret saved={mail} />
                    <AbuseSettings saved={reports} groups={groups} />
                  </SaveForm>
                )}
              </Loaded>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}
