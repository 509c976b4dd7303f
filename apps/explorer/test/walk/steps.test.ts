import { expect, test } from 'vitest'
import { account, follow } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
const search = () => new URL(walk.visit.page.url()).search

test('a filter of an account is a step of the history, and Back takes it away', async () => {
  const { page, faults } = walk.visit
  const kind = page.getByLabel('Type', { exact: true })
  await page.goto(`${walk.gateway.origin}/status`)
  await follow(page, `/address/${account}`)
  await page.locator('.paused-list tbody tr').first().waitFor()
  await kind.selectOption('send')
  expect(search()).toBe('?kind=send')
  await page.getByLabel('Result', { exact: true }).selectOption('failed')
  await page.getByRole('tab', { name: 'Token transfers' }).click()
  expect(search()).toBe('?kind=send&result=failed&tab=transfers')
  await page.goBack()
  await page.getByRole('tab', { name: 'Activity', selected: true }).waitFor()
  expect(search()).toBe('?kind=send&result=failed')
  await page.goBack()
  await expect.poll(() => page.getByLabel('Result', { exact: true }).inputValue()).toBe('')
  expect(await kind.inputValue()).toBe('send')
  await page.goBack()
  await expect.poll(() => kind.inputValue()).toBe('')
  await page.locator('.paused-list tbody tr').first().waitFor()
  await page.goForward()
  await expect.poll(() => kind.inputValue()).toBe('send')
  await page.goBack()
  await page.goBack()
  await page.waitForURL(/\/status$/)
  expect(faults).toEqual([])
})

test('a time that is typed is one step of the history', async () => {
  const { page } = walk.visit
  await page.goto(`${walk.gateway.origin}/address/${account}`)
  const field = page.locator('.span input').first()
  const before = await page.evaluate(() => history.length)
  await field.fill('2026-01-02T03:04')
  await field.fill('2026-01-02T03:05')
  expect(search()).toContain('since=2026-01-02')
  expect(await page.evaluate(() => history.length)).toBe(before + 1)
  await page.goBack()
  await expect.poll(() => field.inputValue()).toBe('')
  expect(search()).toBe('')
})

test('a chain and a search of the assets are steps of the history', async () => {
  const { page } = walk.visit
  await page.goto(`${walk.gateway.origin}/assets`)
  const field = page.getByRole('main').getByRole('searchbox')
  const chain = page.getByRole('main').getByLabel('Chain', { exact: true })
  await chain.selectOption('harbor-1')
  await field.pressSequentially('init')
  await page.waitForURL(/q=init$/)
  await page.goBack()
  await expect.poll(() => field.inputValue()).toBe('')
  expect([search(), await chain.inputValue()]).toEqual(['?chain=harbor-1', 'harbor-1'])
  await page.goBack()
  await expect.poll(() => chain.inputValue()).toBe('')
  expect(search()).toBe('')
})
