import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useProofAsked } from '../session/proof.ts'

const ProofDialog = lazy(() => import('../pages/account/proof-dialog.tsx'))

/** What is above every page: the question who one is, when something dangerous is done. */
export function Root() {
  const asked = useProofAsked()
  return (
    <>
      <Outlet />
      {asked ? (
        <Suspense>
          <ProofDialog />
        </Suspense>
      ) : null}
    </>
  )
}
