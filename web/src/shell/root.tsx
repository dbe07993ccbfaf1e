import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useProofAsked } from '../session/proof.ts'

const ProofDialog = lazy(() => import('../pages/account/proof-dialog.tsx'))

/** What every page shares: the step-up dialog. */
export function Root() {
  const proofAsked = useProofAsked()
  return (
    <>
      <Outlet />
      {proofAsked ? (
        <Suspense>
          <ProofDialog />
        </Suspense>
      ) : null}
    </>
  )
}
