/**
 * Gives up jobs one after the other, each under the lock of its server.
 * @param giveUp returns false if the job does not wait for the node any more
 * @returns how many were given up
 */
export async function giveUpEach<Job>(
  jobs: readonly Job[],
  giveUp: (job: Job) => Promise<boolean>,
): Promise<number> {
  let given = 0
  for (const job of jobs) given += (await giveUp(job)) ? 1 : 0
  return given
}
