"""Uses the client that ariadne-codegen generated. Its models check every value that arrives."""

import asyncio
import sys

from graphql_client import AssetInput, Client, RouteInput
from graphql_client.exceptions import GraphQLClientGraphQLMultiError

PAGES = 4
PAGE_SIZE = 7


async def walk(client: Client) -> None:
    blocks, after = [], None
    for _ in range(PAGES):
        page = (await client.read_blocks(first=PAGE_SIZE, after=after)).chain.blocks
        blocks += page.nodes
        after = page.page_info.end_cursor
        assert page.page_info.has_next_page
    newest = blocks[0].height
    assert [block.height for block in blocks] == [
        newest - index for index in range(PAGES * PAGE_SIZE)
    ]
    assert any(block.gas_used > 0 for block in blocks)
    assert all(block.timestamp.tzinfo for block in blocks)
    print("ok walk")


async def unions(client: Client) -> None:
    results = (await client.search(text="1041")).search.results
    assert [(found.node.typename__, found.node.height) for found in results] == [("Block", 1041)] * 3
    address = "0xe68f6048265750f6f3eedd4df39f93cbb4cbf76a"
    (found,) = (await client.search(text=address)).search.results
    assert (found.node.typename__, found.node.hex_address) == ("Account", address)
    print("ok unions")


async def inputs(client: Client) -> None:
    quote = RouteInput(
        amountIn=25_000_000,
        source=AssetInput(chainId="osmosis-1", denom="uosmo"),
        destination=AssetInput(chainId="harbor-1", denom="uinit"),
    )
    route = (await client.quote(input=quote)).route
    assert route.amount_out > 0
    print("ok inputs")


async def errors(client: Client) -> None:
    try:
        await client.read_account(address="not an address")
    except GraphQLClientGraphQLMultiError as failure:
        (error,) = failure.errors
        assert error.path == ["chain", "account"]
        assert error.extensions["code"] == "BAD_USER_INPUT"
        assert failure.data["chain"] == {"prettyName": "Galley", "account": None}
        print("ok errors")


async def subscription(client: Client) -> None:
    heights = []
    async for event in client.new_blocks():
        heights.append(event.blocks.node.height)
        if len(heights) == 3:
            break
    assert heights == [heights[0] + index for index in range(3)]
    print("ok subscription")


async def main(url: str) -> None:
    async with Client(url=url, ws_url=url.replace("http", "ws")) as client:
        for part in (walk, unions, inputs, errors, subscription):
            await part(client)


asyncio.run(main(sys.argv[1]))
