import { describe, expect, it } from 'vitest'
import { pageLinks } from './page-links'

const address = new URL('https://example.org/docs/start.html')
const linksOf = (html: string): string[] => pageLinks(html, address).map(({ href }) => href)

describe('the links of a page', () => {
  it.each([
    ['<a href="a.html">', ['https://example.org/docs/a.html']],
    ["<A class=x HREF='/b?x=1&amp;y=2#part'>", ['https://example.org/b?x=1&y=2#part']],
    [
      '<a href=c.html>c</a><area href="d.html"/>',
      ['https://example.org/docs/c.html', 'https://example.org/docs/d.html'],
    ],
    ['<a\n  title="a > b" href = "e.html" >', ['https://example.org/docs/e.html']],
    ['<base href="/other/"><a href="f.html">', ['https://example.org/other/f.html']],
    ['<a href=" &#x2F;g&#46;html ">', ['https://example.org/g.html']],
    ['<a href="//elsewhere.example/x">', ['https://elsewhere.example/x']],
    ['<a href="one.html" href="two.html">', ['https://example.org/docs/one.html']],
    ['<a data-href="no.html">', []],
    ['<link href="style.css"><img src="a.png">', []],
    ['<!-- <a href="old.html"> --><a href="new.html">', ['https://example.org/docs/new.html']],
    ['<script>"<a href=no.html>"</script><a href="yes.html">', ['https://example.org/docs/yes.html']],
    ['<template><a href="no.html"></template>', []],
    ['<a href="http://[">', []],
    ['<!-- never closed <a href="no.html">', []],
    ['<a href="never closed', []],
    ['1 < 2 <a href="h.html">', ['https://example.org/docs/h.html']],
    ['<a href="&#0;&#99999999;i.html">', ['https://example.org/docs/&#0;&#99999999;i.html']],
  ])('%j', (html, links) => expect(linksOf(html)).toEqual(links))

  it.each([
    '<!--',
    '<a href="',
    "<a href='",
    '<a ',
    '<a x',
    '<',
    '<script>',
    '<a href=x ',
    '&#x',
    '<a/',
    '</script',
    ' =',
  ])('are found in one pass, however often it says %j', (piece) => {
    const html = `<a>${piece.repeat(2_000_000 / piece.length)}`
    const from = performance.now()
    pageLinks(html, address)
    expect(performance.now() - from).toBeLessThan(3_000)
  })
})
