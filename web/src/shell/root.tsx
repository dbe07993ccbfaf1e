import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useProofAsked } from '../session/proof.ts'
import { CommandsHost } from './commands-host.tsx'

const ProofDialog = lazy(() => import('../pages/account/proof-dialog.tsx'))

/** What every page shares: the step-up dialog, and the one that shows commands. */
export function Root() {
  const proofAsked = useProofAsked()
  return (
    <>
      <Outlet />
      <CommandsHost />
      {proofAsked ? (
        <Suspense>
          <ProofDialog />
        </Suspense>
      ) : null}
    </>
  )
}
