import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { LinkButton } from '../ui/buttons/link.tsx'
import { Empty, Illustration, LoadFailed } from '../ui/notices/states.tsx'
import { Page } from '../ui/page/page.tsx'

/** The page for unknown addresses. */
export function Missing() {
  return (
    <Page title="Page not found" narrow>
      <Empty
        title="There is nothing at this address"
        art="missing"
        action={<LinkButton to={paths.home}>Go to the start page</LinkButton>}
      />
    </Page>
  )
}

/** The page shown after a rendering error, with its details. */
export function Crashed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Page title="This page cannot be shown" narrow>
      <Illustration name={navigator.onLine ? 'error' : 'offline'} />
      <LoadFailed error={error} onRetry={() => void router.invalidate()} />
    </Page>
  )
}
