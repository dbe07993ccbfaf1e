import { Outlet } from '@tanstack/react-router'
import { settleProof, useProofAsked } from '../session/proof.ts'
import { part } from '../ui/page/part.tsx'
import { CommandsHost } from './commands-host.tsx'

const ProofDialog = part(() => import('../pages/account/proof-dialog.tsx'))

/** What every page shares: the step-up dialog, and the one that shows commands. */
export function Root() {
  const proofAsked = useProofAsked()
  return (
    <>
      <Outlet />
      <CommandsHost />
      {proofAsked ? <ProofDialog onLost={() => settleProof(false)} /> : null}
    </>
  )
}
