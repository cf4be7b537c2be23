class SameOrigin:
    def __init__(self, inner):
        self.inner = inner
    async def __call__(self, scope, receive, send):
        return await self.inner(scope, receive, send)
