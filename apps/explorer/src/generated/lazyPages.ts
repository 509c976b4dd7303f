// Written by `npm run generate`, from the table of `src/app/pages.ts`.
import { lazyPage } from '../parts/lazyPage.tsx'

export const lazyPages = {
  search: lazyPage(() => import('../pages/search/Search.tsx').then((page) => page.Search)),
  chain: lazyPage(() => import('../pages/chain/Chain.tsx').then((page) => page.Chain)),
  block: lazyPage(() => import('../pages/block/Block.tsx').then((page) => page.Block)),
  transaction: lazyPage(() => import('../pages/transaction/Transaction.tsx').then((page) => page.Transaction)),
  account: lazyPage(() => import('../pages/account/Account.tsx').then((page) => page.Account)),
  asset: lazyPage(() => import('../pages/asset/Asset.tsx').then((page) => page.Asset)),
  assets: lazyPage(() => import('../pages/assets/Assets.tsx').then((page) => page.Assets)),
  validators: lazyPage(() => import('../pages/validators/Validators.tsx').then((page) => page.Validators)),
  contracts: lazyPage(() => import('../pages/contracts/Contracts.tsx').then((page) => page.Contracts)),
  usage: lazyPage(() => import('../pages/usage/Usage.tsx').then((page) => page.Usage)),
  collection: lazyPage(() => import('../pages/collection/Collection.tsx').then((page) => page.Collection)),
  contract: lazyPage(() => import('../pages/contract/Contract.tsx').then((page) => page.Contract)),
  nft: lazyPage(() => import('../pages/nft/Nft.tsx').then((page) => page.Nft)),
  transfer: lazyPage(() => import('../pages/transfer/Transfer.tsx').then((page) => page.Transfer)),
  transfers: lazyPage(() => import('../pages/transfers/Transfers.tsx').then((page) => page.Transfers)),
  quote: lazyPage(() => import('../pages/quote/Quote.tsx').then((page) => page.Quote)),
  status: lazyPage(() => import('../pages/status/Status.tsx').then((page) => page.Status)),
  lost: lazyPage(() => import('../pages/lost/Lost.tsx').then((page) => page.Lost)),
}
