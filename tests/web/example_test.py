# SPDX-License-Identifier: MIT
"""The example in examples/web runs as written."""
from stage import same, test


@test("the example shows a character, plays its clips and counts its steps")
def _(stage):
    page = stage.open("example/index.html")
    page.wait("() => document.querySelectorAll('#clips button').length > 0")
    names = page.run("() => [...document.querySelectorAll('#clips button')].map((button) => button.textContent)")
    same(names, page.run("() => document.querySelector('pchr-player').clips.map(({name}) => name)"), "buttons")
    page.wait("() => Number(document.querySelector('#steps').value) > 1")
    jump = "[...document.querySelectorAll('#clips button')].find((button) => button.textContent === 'jump')"
    page.run(f"() => {jump}.click()")
    page.wait("() => document.querySelector('pchr-player').clip === 'jump' && "
              "document.querySelector('pchr-player').frame > 0")
