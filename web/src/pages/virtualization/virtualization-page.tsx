import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { MediaCard } from './media-card.tsx'
import { NetworksCard } from './networks-card.tsx'
import { ProfilesCard } from './profiles-card.tsx'
import { t } from './words.ts'

/** The catalogue of virtual machines: media, hardware profiles and networks. */
export default function VirtualizationPage() {
  const missing = useMissing()('virtualization.manage')
  const catalogue = useQuery({
    ...q('GET /api/virtualization/catalogue'),
    // A new medium is still being checked.
    refetchInterval: (query) =>
      query.state.data?.media.some(({ state }) => state === 'checking' || state === 'uploading')
        ? 2_000
        : false,
  })
  return (
    <Page title={t.title} lead={t.lead}>
      <Loaded query={catalogue} lines={8}>
        {(found) => (
          <Column>
            {found.available ? null : (
              <Note
                tone="warn"
                title={t.noNode}
                action={
                  <LinkButton to={paths.nodes} size="small">
                    {t.openNodes}
                  </LinkButton>
                }
              >
                {t.noNodeText}
              </Note>
            )}
            <MediaCard media={found.media} missing={missing} />
            <ProfilesCard profiles={found.profiles} missing={missing} />
            <NetworksCard networks={found.networks} missing={missing} />
          </Column>
        )}
      </Loaded>
    </Page>
  )
}
