"""x"""
def document(): return {}
