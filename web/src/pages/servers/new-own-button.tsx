import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { whyNoServer } from './create/own/quota.ts'
import { t } from './words.ts'

/** Links to the creation of an own server; disabled with the reason while impossible. */
export function NewOwnButton() {
  const options = useQuery({ ...q('GET /api/me/servers/options'), staleTime: 60_000 })
  const blocked = options.data && whyNoServer(options.data)
  // Hidden when the host creates all servers: nobody expects the button there.
  if (!options.data || options.data.selfService === 'off') return null
  if (blocked !== undefined)
    return (
      <Button kind="primary" icon={<Plus />} disabledBecause={blocked}>
        {t.newServer}
      </Button>
    )
  return (
    <LinkButton to={paths.newServer} kind="primary" icon={<Plus />}>
      {t.newServer}
    </LinkButton>
  )
}
