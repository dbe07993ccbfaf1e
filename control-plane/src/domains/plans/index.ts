export { showPlan } from './plans.ts'
export { currentPrices, findPrices, type PriceRow } from './price-store.ts'
export { showPrice } from './prices.ts'
export { faultsOfPreset } from './questions.ts'
export {
  findPlan,
  heldUnits,
  listPlans,
  lockPlan,
  type PlanRow,
  planExists,
  planNames,
  startSubscription,
} from './store.ts'
