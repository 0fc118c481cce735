"""Other products, measured through their own interfaces, so that a comparison is one command for anybody."""
