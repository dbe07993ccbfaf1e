import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { LinkButton } from '../ui/buttons/link.tsx'
import { Empty, Illustration, LoadFailed } from '../ui/notices/states.tsx'
import { Page } from '../ui/page/page.tsx'
import { t } from '../words.ts'

/** The page for unknown addresses. */
export function Missing() {
  return (
    <Page title={t.notFound} narrow>
      <Empty
        title={t.notFoundText}
        art="missing"
        action={<LinkButton to={paths.home}>{t.toStart}</LinkButton>}
      />
    </Page>
  )
}

/** The page shown after a rendering error, with its details. */
export function Crashed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Page title={t.crashed} narrow>
      <Illustration name={navigator.onLine ? 'error' : 'offline'} />
      <LoadFailed error={error} onRetry={() => void router.invalidate()} />
    </Page>
  )
}
